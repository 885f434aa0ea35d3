-- When the network first said that it has what it was asked: until then an activation has not begun there, and its page says so.
alter table network_operations add column acknowledged_at timestamptz;
update network_operations set acknowledged_at = created_at;
