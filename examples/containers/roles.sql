-- The database and its roles, made once by a superuser. Passwords come from the environment.
-- psql 15 or later:  psql -v ON_ERROR_STOP=1 -f roles.sql
\getenv owner_password GIN_OWNER_PASSWORD
\getenv server_password GIN_SERVER_PASSWORD

-- What a server may do; its tables' owner grants it the rights to them.
CREATE ROLE ginrummy_server NOLOGIN;
-- Makes the tables and brings them up to date: `gin prepare`. No server logs in as this one.
CREATE ROLE gin_owner LOGIN PASSWORD :'owner_password';
-- The servers' login.
CREATE ROLE gin LOGIN PASSWORD :'server_password' IN ROLE ginrummy_server;

CREATE DATABASE gin OWNER gin_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE gin FROM PUBLIC;
GRANT CONNECT ON DATABASE gin TO ginrummy_server;
\connect gin
ALTER SCHEMA public OWNER TO gin_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
