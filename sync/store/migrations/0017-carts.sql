CREATE TABLE carts (
  business_id TEXT NOT NULL,
  id TEXT NOT NULL,
  content TEXT NOT NULL,
  held_at TEXT,
  PRIMARY KEY (business_id, id)
);
