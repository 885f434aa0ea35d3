-- What is on offer. The provider imports it from its catalogue file.

create table products (
  unique_id text primary key,
  sku text,
  product_type smallint not null check (product_type in (1, 2)),
  title text not null,
  length_days integer not null check (length_days > 0),
  price_cents integer not null check (price_cents >= 0),
  rrp_cents integer,
  price_rebill_cents integer,
  colour text not null,
  sort_order integer not null,
  data_gb double precision not null,
  voice_mins integer not null,
  txt_sms integer not null,
  roaming boolean not null,
  new_customer_only boolean not null,
  next_product_id text references products,
  code text not null,
  -- In no list and not for sale, but plans in use still refer to it.
  hidden boolean not null,
  tax_class text not null,
  check (not new_customer_only or next_product_id is not null)
);
create index products_by_next on products (next_product_id) where next_product_id is not null;

create table plan_filters (
  position smallint primary key check (position between 0 and 100),
  length_days integer not null,
  unit text not null,
  promo_text text
);

create table porting_providers (
  id text primary key,
  name text not null,
  sort_order integer not null
);

create table vouchers (
  id uuid primary key,
  -- A keyed hash: the table alone gives no code away.
  code_hash text not null unique,
  product_id text not null references products,
  expires_at timestamptz not null,
  -- Set while an order holds it; cleared when the order ends without a service.
  order_id uuid unique,
  redeemed_at timestamptz
);
create index vouchers_by_product on vouchers (product_id);

-- SIM packs are stock that the provider imports.
create table sim_packs (
  iccid text primary key,
  msisdn text not null unique,
  last_four text not null check (last_four ~ '^[0-9]{4}$'),
  order_id uuid unique,
  activated_at timestamptz
);
