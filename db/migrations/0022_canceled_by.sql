-- What ended a change of the e-mail address that was stopped: its page says why, and what to do.
alter table email_changes add column canceled_by text;
