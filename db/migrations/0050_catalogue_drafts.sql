-- A catalogue on its way to being published at the desk: decision 98.

create table catalogue_drafts (
  number integer generated always as identity primary key,
  -- What it was read from: the name of a file, or the provider's folder.
  source text not null,
  -- Of what is in it: what a second person approves is this, and no other.
  hash text not null,
  content jsonb not null,
  -- Who handed it in last, on the product's clock.
  made_by uuid not null references staff,
  made_at timestamptz not null,
  published_as integer references catalogue_versions
);
create index catalogue_drafts_by_maker on catalogue_drafts (made_by);
create unique index catalogue_drafts_by_version on catalogue_drafts (published_as) where published_as is not null;

-- Of a version that was published at the desk.
alter table catalogue_versions add column reason text;
alter table catalogue_versions add column approved_by text;
