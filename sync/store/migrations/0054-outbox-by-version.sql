-- What the server has applied and the till not pulled yet: a few of all that it has acknowledged.
CREATE INDEX outbox_by_version ON outbox (business_id, server_version) WHERE state = 'acknowledged';
