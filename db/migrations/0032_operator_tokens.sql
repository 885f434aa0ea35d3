-- What lets a person use the operator's tool from another host: 32 random bytes, of which only a hash is kept.
create table operator_tokens (
  id uuid primary key,
  name text not null,
  token_hash text not null unique,
  scope text not null check (scope in ('read', 'act')),
  made_at timestamptz not null,
  made_by text not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
-- One a person.
create unique index operator_tokens_by_name on operator_tokens (lower(name)) where revoked_at is null;
