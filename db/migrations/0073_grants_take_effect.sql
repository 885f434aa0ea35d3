-- Grants that leads and admins were mailed about take effect at lapses_at unless somebody declines them: decision 132.
-- Requests of the previous version have false: nobody was mailed, so they lapse then.
alter table approvals add column takes_effect boolean not null default false;
