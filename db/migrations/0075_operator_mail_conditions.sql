-- A mail to the operator has a send condition, too, but is about no service. A message that is about a service still has one.
alter table messages
  drop constraint messages_premise_of_service,
  add constraint messages_premise_of_service check (service_id is null or premise is not null) not valid;
