-- The oldest program that can use this schema, as the number of the newest migration that it knows. A migration that
-- removes or changes what older programs use raises it (CONTRIBUTING.md, "Migrations").
create table schema_compatibility (
  id int primary key check (id = 1),
  oldest_program int not null
);
insert into schema_compatibility (id, oldest_program) values (1, 20);
