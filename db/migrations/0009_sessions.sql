-- What a customer sees of the sessions they are signed in with, and when a session has to ask for the password again.

-- When the password was last entered in it, in real time; null for one that nobody is signed in with.
alter table sessions add column authenticated_at timestamptz;
-- What it was signed in with, each one word of a closed list; nothing of the browser's own header.
alter table sessions add column browser text check (length(browser) <= 40);
alter table sessions add column system text check (length(system) <= 40);

-- Until now nobody noted when a session was last seen: those that run begin to be idle today.
update sessions set last_seen_at = now() where expires_at > now();

-- What its customer reads of an account, however often strangers have tried to come in.
create index audit_events_told on audit_events (user_id, event, at) where user_id is not null;
