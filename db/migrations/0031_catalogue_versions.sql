-- Every catalogue that was ever taken in, or is to be at an instant of the product's clock.
create table catalogue_versions (
  number integer generated always as identity primary key,
  -- Of what is in it: the provider's folder is taken in at a start only when it says something new.
  hash text not null,
  content jsonb not null,
  actor text not null,
  made_at timestamptz not null,
  effective_at timestamptz not null,
  applied_at timestamptz,
  canceled_at timestamptz,
  check (applied_at is null or canceled_at is null)
);
create index catalogue_versions_by_hash on catalogue_versions (hash);
create index catalogue_versions_due on catalogue_versions (effective_at) where applied_at is null and canceled_at is null;
