-- no transaction
create index concurrently if not exists email_changes_due on email_changes (retry_at) where retry_at is not null;
