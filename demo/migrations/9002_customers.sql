-- Customers that are there from the start; everybody may log in as them, so their passwords stand here in clear.
create table demo_customers (
  position integer primary key,
  user_id uuid not null unique references users on delete cascade,
  password text not null,
  -- As it was when they were made: once the password was changed, they are offered no more.
  password_hash text not null,
  about text not null
);
