ALTER TABLE replica ADD COLUMN window_asked TEXT;
