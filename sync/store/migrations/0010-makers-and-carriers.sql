ALTER TABLE mutations ADD COLUMN carrier_id TEXT;
CREATE TABLE former_members (
  business_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  left_at TEXT NOT NULL,
  PRIMARY KEY (business_id, user_id)
);
INSERT INTO former_members (business_id, user_id, left_at)
  SELECT business_id, user_id, max(received_at) FROM mutations
  WHERE EXISTS (SELECT 1 FROM users WHERE users.id = mutations.user_id)
    AND NOT EXISTS (SELECT 1 FROM memberships WHERE memberships.business_id = mutations.business_id AND memberships.user_id = mutations.user_id)
  GROUP BY business_id, user_id;
