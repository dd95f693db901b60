"""What a caller is told when something of ours breaks, and what the log keeps of it.

The log has an id, the kind of the exception and the places in the code. It never has
the exception's text or its arguments: those may hold what somebody stored.
"""

import logging
import secrets

from conderis.common.errors import Unavailable
from conderis.common.outages import outage_refusal, places_of

logger = logging.getLogger(__name__)


def unavailable(error: BaseException, *, during: str) -> Unavailable:
    """The refusal for a fault, which is logged under the id that it names."""
    fault = secrets.token_hex(4)
    logger.error("Fault %s during %s: %s", fault, during, places_of(error))
    return outage_refusal(error, fault) or Unavailable(
        "Something went wrong in the server, not in your call. Its log has more under the "
        f"id {fault}. Read what stands before you send the call again."
    )
