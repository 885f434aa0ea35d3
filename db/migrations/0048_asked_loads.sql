-- SIM packs that the desk loads: a file is checked first, and then waits for a person to say that its good lines are loaded: decision 95.

alter table sim_loads add column asks_first boolean not null default false;
-- As its sender's machine calls it.
alter table sim_loads add column file_name text;
alter table sim_loads drop constraint sim_loads_state_check, add constraint sim_loads_state_check check (state in
  ('receiving', 'broken_off', 'checking', 'checked', 'waiting', 'refused', 'loading', 'withdrawing', 'loaded')) not valid;
