-- At most {{RATE_LIMIT}} requests of one client in any {{RATE_WINDOW_SECONDS}} seconds, exactly: the times of a client's last {{RATE_LIMIT}} admitted requests
-- are kept, and one more is admitted when the oldest of them is old enough. HAProxy's own rates are estimates from two
-- windows and let nearly twice as many pass in some of them.
local LIMIT = {{RATE_LIMIT}}
local WINDOW_SECONDS = {{RATE_WINDOW_SECONDS}}
-- Clients told apart at one time; all others share one count. One takes up to 16 bytes for each request of its limit.
local MAX_CLIENTS = {{RATE_CLIENTS}}

-- Clients seen since the last turn, and those seen before it. Whoever is only in `old` at a turn was quiet for a whole
-- window, so that nothing of it counts any more.
local young, old = {}, {}
local young_count = 0
local turned = 0

local function turn(now)
    if now - turned < WINDOW_SECONDS then return end
    old, young, young_count, turned = young, {}, 0, now
end

-- A ring of times; `at` is the place of the oldest.
local ring_of
ring_of = function(client)
    local ring = young[client]
    if ring ~= nil then return ring end
    ring = old[client]
    if ring == nil then
        if young_count >= MAX_CLIENTS and client ~= "" then return ring_of("") end
        ring = { at = 1 }
    end
    young[client] = ring
    young_count = young_count + 1
    return ring
end

core.register_action("vitrine_limit", { "http-req" }, function(txn)
    local time = core.now()
    local now = time.sec + time.usec / 1000000
    turn(now)
    local client = txn:get_var("txn.bucket") or ""
    local ring = ring_of(client:match("^::ffff:([%d.]+)$") or client)
    local oldest = ring[ring.at]
    if oldest ~= nil and now - oldest < WINDOW_SECONDS then
        txn:set_var("txn.wait", math.ceil(oldest + WINDOW_SECONDS - now))
        return
    end
    ring[ring.at] = now
    ring.at = ring.at % LIMIT + 1
end)
