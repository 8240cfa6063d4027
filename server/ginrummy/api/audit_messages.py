"""An audit's report as a message."""

from collections.abc import Mapping

from ginrummy.audit.report import Report, Status
from ginrummy.v1 import log_service_pb2 as pb

__all__ = ["report_message"]

_STATUSES: Mapping[Status, pb.CheckStatus.ValueType] = {
    "passed": pb.CHECK_STATUS_PASSED,
    "failed": pb.CHECK_STATUS_FAILED,
    "waiting": pb.CHECK_STATUS_WAITING,
    "stopped": pb.CHECK_STATUS_STOPPED,
    "not_applicable": pb.CHECK_STATUS_NOT_APPLICABLE,
}


def report_message(report: Report) -> pb.AuditMatchResponse:
    """Return a report as it is sent."""
    return pb.AuditMatchResponse(
        clean=report.clean,
        checks=[
            pb.AuditCheck(
                name=check.name,
                status=_STATUSES[check.status],
                count=check.count,
                detail=check.detail,
            )
            for check in report.checks
        ],
        faults=[
            pb.AuditFault(check=fault.check, seq=fault.seq, rule=fault.rule, message=fault.message)
            for fault in report.faults
        ],
        lines=report.lines,
        head_hash=report.head.hash,
        faults_left_out=report.faults_left_out,
    )
