-- Stock that the provider takes in: SIM packs from files, and vouchers made in batches.

create table sim_loads (
  id text primary key,
  state text not null check (state in
    ('receiving', 'broken_off', 'checking', 'checked', 'refused', 'loading', 'withdrawing', 'loaded')),
  -- SHA-256 of the file, once all of it is here.
  content_hash text,
  good_only boolean not null,
  dry_run boolean not null,
  -- Who asked for it, as in the audit trail.
  actor text not null,
  -- Lines with a pack, or what should be one; and the number of the last in its file.
  lines integer not null default 0,
  last_line integer not null default 1,
  -- The line up to which it is checked and then, from the first again, loaded.
  done_line integer not null default 1,
  loaded integer not null default 0,
  bad integer not null default 0,
  -- The product's clock.
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Real time: until then the worker that has leased it is at it, or dead. Null once nothing is left to do.
  retry_at timestamptz,
  leased_by uuid
);
create index sim_loads_to_retry on sim_loads (retry_at) where retry_at is not null;
create index sim_loads_by_time on sim_loads (created_at);
-- One file is loaded once.
create unique index one_sim_load_for_a_file on sim_loads (content_hash)
  where not dry_run and state in ('checking', 'loading', 'withdrawing', 'loaded');

-- The lines of loads: those that wait, and what is wrong with the bad ones. Without a foreign key, which would be asked a million times.
create table sim_load_lines (
  load_id text not null,
  line integer not null,
  iccid text,
  msisdn text,
  puk_sealed text,
  fault text,
  -- Where the file has the same already.
  other_line integer,
  primary key (load_id, line)
);
create index sim_load_lines_bad on sim_load_lines (load_id, line) where fault is not null;

-- A pack is for sale once its load is loaded; one without a load always was.
alter table sim_packs add column load_id text references sim_loads;
alter table sim_packs add column puk_sealed text;
create index sim_packs_unused on sim_packs (load_id) where order_id is null;

create table voucher_batches (
  id text primary key,
  state text not null check (state in ('making', 'complete', 'broken_off', 'void')),
  product_id text not null references products,
  expires_at timestamptz not null,
  wanted integer not null check (wanted > 0),
  made integer not null default 0,
  -- Who asked for it, as in the audit trail.
  actor text not null,
  -- The product's clock.
  created_at timestamptz not null,
  -- Real time: until then whoever makes it is at it, or gone. Null once nothing is left to do.
  retry_at timestamptz
);
create index voucher_batches_to_retry on voucher_batches (retry_at) where retry_at is not null;
create index voucher_batches_by_time on voucher_batches (created_at);
create index voucher_batches_by_product on voucher_batches (product_id);

-- A code is good once its batch is complete; one without a batch always was.
alter table vouchers add column batch_id text references voucher_batches;
alter table vouchers add column voided_at timestamptz;
create index vouchers_by_batch on vouchers (batch_id) where batch_id is not null;
