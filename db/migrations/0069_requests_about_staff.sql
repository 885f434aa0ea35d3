-- no transaction
-- Who has requested something about a member of staff lately: decision 132.
create index concurrently if not exists approvals_about_staff on approvals (subject, decided_at) where kind = 'staff';
