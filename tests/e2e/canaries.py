"""Words that stand for what somebody must not see; every private text of the world holds one."""

# Every email address holds it. Only its owner and admins are shown one.
MARK = "canary"
# In the texts of alice/shop, and in a private memory of alice.
SHOP = "canaryofshop"
PRIVATE = "canaryofalice"
MAY_SEE = {SHOP: {"alice", "bob", "carol", "rita"}, PRIVATE: {"alice"}}
ADMIN = "adam"
