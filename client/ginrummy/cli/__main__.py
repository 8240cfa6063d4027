"""`python -m ginrummy.cli` is `gin`, also where no `gin` is on the path."""

from ginrummy.cli import main

if __name__ == "__main__":
    main(prog_name="gin")
