-- Packages that were read. data is compressed already.
CREATE TABLE docent_packages (
	number     bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
	id         bytea PRIMARY KEY, -- a hash of build, owner, language and key
	build      text NOT NULL,
	owner      text NOT NULL, -- the group that may see it, empty for everyone
	language   text NOT NULL,
	name       text NOT NULL,
	version    text NOT NULL,
	key        text NOT NULL, -- for people: features, platform and source, with spaces between them
	searchable boolean NOT NULL, -- whether docent_words has its words; it has those of one row of each version of a package
	bytes      bigint NOT NULL,
	created_at timestamptz NOT NULL DEFAULT now(),
	used_at    timestamptz NOT NULL DEFAULT now(),
	expires_at timestamptz,
	data       bytea NOT NULL
);
ALTER TABLE docent_packages ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX docent_packages_used ON docent_packages (used_at);
CREATE INDEX docent_packages_searchable ON docent_packages (build, owner, language, name, version) WHERE searchable;

-- The words of the packages and their symbols, for searches. Each word begins with a prefix for the
-- build, the owner and the language.
CREATE TABLE docent_words (
	package bigint NOT NULL REFERENCES docent_packages (number) ON DELETE CASCADE,
	words   tsvector NOT NULL
);
CREATE INDEX docent_words_package ON docent_words (package);
CREATE INDEX docent_words_words ON docent_words USING gin (words);
