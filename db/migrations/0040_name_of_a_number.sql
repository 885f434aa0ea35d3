-- What a customer calls a number of theirs, such as 'Mum's tablet': decision 79.
alter table services add column name text;
alter table services add constraint services_name_check check (char_length(name) between 1 and 30) not valid;
