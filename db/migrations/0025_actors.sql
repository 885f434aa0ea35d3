-- Who acted, where it was not the customer: 'operator:NAME' or 'system'. Events of before know none.
alter table audit_events add actor text;
