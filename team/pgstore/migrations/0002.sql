-- Projects that clients have pushed.
CREATE TABLE docent_projects (
	owner   text NOT NULL,
	name    text NOT NULL,
	content text NOT NULL, -- identifies data
	data    bytea NOT NULL,
	used_at timestamptz NOT NULL DEFAULT now(),
	PRIMARY KEY (owner, name)
);
