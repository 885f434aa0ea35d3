-- One word for the next try of whatever is worked on until its outcome is written down.
alter table orders rename column wake_at to retry_at;
alter index orders_to_wake rename to orders_to_retry;
alter table porting_requests rename column wake_at to retry_at;
alter index porting_requests_to_wake rename to porting_requests_to_retry;
alter table card_updates rename column wake_at to retry_at;
alter index card_updates_to_wake rename to card_updates_to_retry;
alter table service_releases rename column wake_at to retry_at;
alter index service_releases_to_wake rename to service_releases_to_retry;
alter table refunds rename column wake_at to retry_at;
alter index refunds_to_wake rename to refunds_to_retry;

drop index messages_waiting;
alter table messages rename column next_try_at to retry_at;
alter table messages alter column retry_at drop not null;
update messages set retry_at = null where sent_at is not null or refused_at is not null;
create index messages_to_retry on messages (retry_at) where retry_at is not null;
