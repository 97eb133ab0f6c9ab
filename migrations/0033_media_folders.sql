-- The folders `media/` in the data folders of the processes, each with the id that is in its file `folder-id`. Processes on
-- several machines see by it whether they share the folder in which copies of received files are.
create table media_folders (
  id uuid not null,
  -- The row with true is the folder that has the copies. The others were seen by a process lately.
  is_home boolean not null default false,
  seen_at timestamptz not null default now(),
  primary key (id, is_home)
);
create unique index media_folders_home on media_folders (is_home) where is_home;
