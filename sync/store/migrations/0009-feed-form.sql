ALTER TABLE replica ADD COLUMN feed_form TEXT;
