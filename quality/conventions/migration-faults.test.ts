import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Rules } from './migration-rules.ts'
import { findMigrationFaults } from './migration-faults.ts'

/*
 * Exceptions for migrations that ran before these rules existed, because an applied migration cannot be changed. Early migrations could not
 * use `-- no transaction`, and no installation had any customers at the time. Adding an exception is a design decision.
 */
const young = 'no installation has customers yet, and the file could not run without a transaction when it was written'
const exceptions: Rules['exceptions'] = {
  '0026_stock.sql': { 'create index': young },
  '0027_customers.sql': {
    'create index': young,
    'create table erasures':
      'an older version deletes accounts of undone orders, and who is erased has no order under way',
  },
  '0028_money.sql': {
    'create index': young,
    'create unique index': 'an older version makes one refund for an order, and counts its attempts up in it',
    'alter table refunds drop constraint refunds_order_id_key':
      'its second refund is refused by the reference all the same',
    'alter table refunds add': 'an older version makes few refunds, each of all the money',
    'alter table invoices add constraint invoices_credit_of_refund':
      'the same; its notes are of what their refunds give back',
    'alter table operator_tasks alter column order_id drop not null':
      'an older version lists tasks with their orders only',
  },
  '0030_cancelled_transfers.sql': {
    'create index': young,
    'create unique index one_open_port_for_a_service':
      'an older version knows two of its three states, for which it had one',
    'drop index one_live_port_for_a_service': 'the index before it refuses the same, and its name is asked for nowhere',
    'alter table porting_requests add constraint porting_requests_status_check': young,
  },
  '0034_tasks.sql': {
    'alter table operator_tasks drop constraint operator_tasks_order_id_reason_key':
      'the index that takes its place refuses the same of all that an older version writes',
    'drop index operator_tasks_by_subject': 'the same, and its name is asked for nowhere',
  },
  '0075_operator_mail_conditions.sql': {
    'alter table messages add constraint messages_premise_of_service':
      'it takes all that the check before it took, and an older version sends a message without a service at any time',
  },
  '0036_cancelled_plans.sql': {
    'create unique index concurrently if not exists one_standing_renewal':
      'the index before it refuses all of that of what an older version writes',
    'drop index concurrently if exists one_live_renewal':
      'the index before it refuses the same of all that an older version writes, and its name is asked for nowhere',
  },
  '0045_staff.sql': {
    'create trigger staff_acts_stay': 'an older version writes no act of staff, and changes no act at all',
  },
  '0052_money_at_the_desk.sql': Object.fromEntries(
    ['answer', 'answered_at', 'answered_by', 'evidence_reference', 'handed_in_at'].map((column) => [
      `alter table disputes add column if not exists ${column}`,
      'it runs again after a kill as `if not exists` has it; a column without a default takes no time',
    ]),
  ),
  '0060_due_in_order.sql': {
    'drop index concurrently if exists service_deadlines_due':
      'the index before it answers the same and more, and its name is asked for nowhere',
  },
  '0042_changed_plans.sql': {
    'create unique index concurrently if not exists one_next_plan':
      'the index before it refuses all of that of what an older version writes',
    'create unique index concurrently if not exists one_change_of_a_plan': 'an older version leaves its column out',
    'alter table orders add column if not exists instead_of_order_id':
      'it runs again after a kill as `if not exists` has it; a column without a default takes no time',
    'drop index concurrently if exists one_standing_renewal':
      'the index before it refuses the same of all that an older version writes, and its name is asked for nowhere',
  },
  '0057_what_was_answered.sql': Object.fromEntries(
    ['answer', 'queued_at'].map((column) => [
      `alter table messages add column if not exists ${column}`,
      'it runs again after a kill as `if not exists` has it; a column without a default takes no time',
    ]),
  ),
}

/** Tables whose size does not depend on the number of customers. */
const small = ['clock', 'operator_tasks', 'password_salts', 'plan_filters', 'porting_providers', 'products']

const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]))

const sources = globSync('{app,demo,features,kit}/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
const deletedFrom = sources.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/\bdeleteFrom\('(\w+)'/g)].map(([, table = '']) => table),
)

test('all migrations are safe to run while processes of the previous version are still running', () => {
  expect(deletedFrom).toContain('sessions')
  expect(findMigrationFaults(textsIn('db/migrations'), { since: '0025', small, deletedFrom, exceptions })).toEqual([])
})

describe('checking whether migrations are safe', () => {
  const history = `create table kiwis (id uuid primary key, name text not null, state text check (state in ('egg', 'chick')), nest text);
create table nests (id uuid primary key);
create table countries (code text primary key);
`
  const faultsOf = (texts: Record<string, string>, own: Rules['exceptions'] = {}) =>
    findMigrationFaults(
      {
        '0001_history.sql': `${history}alter table kiwis drop column wings;\n`,
        '0002_more.sql': '-- Nothing.\n',
        ...texts,
      },
      { since: '0002', small: ['countries'], deletedFrom: ['nests'], exceptions: own },
    ).map((fault) => fault.replace(/^000\d_\w+\.sql: /, ''))
  const faults = (text: string) => faultsOf({ '0003_next.sql': `${text};\n` })

  test.each([
    'create table eggs (id uuid primary key, kiwi_id uuid not null references kiwis);\ncreate unique index eggs_by_kiwi on eggs (kiwi_id)',
    "create table eggs (id uuid);\nalter table eggs add column s text not null check (s in ('s'));\ninsert into eggs select 's' from kiwis",
    'create table eggs (nest_id uuid references nests (id) on delete set null)',
    "alter table kiwis add column a integer not null default 0, add b text default 'a, b', add c timestamptz default now()",
    'alter table kiwis add column nest_id uuid references nests on delete cascade',
    'alter table kiwis add column a text, add column b text, add constraint both check ((a is null) = (b is null)) not valid',
    'alter table countries add column zone text check (length(zone) < 40);\ncreate index countries_by_zone on countries (zone)',
    "update countries set code = 'NZ' where code = 'nz'",
    '-- no transaction\ncreate index concurrently if not exists kiwis_by_name on kiwis (name)',
    '-- no transaction\nalter table kiwis validate constraint both;\nupdate kiwis set a = b where id in (select id from kiwis limit 9)',
    "comment on table kiwis is 'Birds; they don''t fly.'",
    '-- needs: 0002\ndrop table nests;\nalter table kiwis drop column nest, rename name to called',
    '-- needs: 0002\n-- no transaction\ndrop index concurrently if exists kiwis_by_name',
  ])('accepts the safe migration: %s', (text) => expect(faults(text)).toEqual([]))

  const needs = 'older versions use it: say which migration those have that do not, `-- needs: NNNN`'
  const refused = 'older versions may write what it refuses'
  const slow = 'it looks through the table under its lock: not valid, and validated in a file with `-- no transaction`'
  test.each([
    ['drop table nests', [needs]],
    ['alter table kiwis drop column nest', [needs]],
    ['alter table kiwis rename column name to called', [needs]],
    ['alter table kiwis rename to birds', [needs]],
    ['alter table kiwis drop constraint kiwis_pkey', [needs]],
    ['alter table kiwis alter column name drop default', [needs]],
    ['drop index kiwis_by_name', [needs]],
    ['alter table kiwis alter column name drop not null', ['older versions may not be ready to read a null']],
    ['alter table kiwis add column weight integer not null', ['older versions leave it out: give it a default']],
    [
      'alter table kiwis add column tag uuid default gen_random_uuid()',
      ['it writes the table anew: without a default, and filled later'],
    ],
    [
      'alter table kiwis add column n bigint generated always as identity',
      ['it writes the table anew: without a default, and filled later'],
    ],
    ['alter table kiwis add column tag text unique', ['writers wait for its index: build that concurrently']],
    [
      'alter table kiwis add column tag text check (length(tag) < 9)',
      ['it looks through the table under its lock: a constraint of its own, not valid'],
    ],
    [
      'alter table kiwis add column nest_id uuid references nests',
      ['older versions delete rows of nests: on delete cascade, or set null'],
    ],
    [
      'create table eggs (nest_id uuid not null references nests)',
      ['older versions delete rows of nests: on delete cascade, or set null'],
    ],
    ['alter table kiwis alter column name type varchar(20)', ['it writes the table anew: add a column']],
    [
      'alter table kiwis alter name set not null',
      [needs, 'it looks through the table, unless a check (name is not null) is valid already'],
    ],
    ['alter table kiwis add constraint named check (length(name) > 0) not valid', [refused]],
    ['alter table kiwis add constraint named check (length(name) > 0)', [slow, refused]],
    [
      "alter table kiwis drop constraint kiwis_state_check, add constraint kiwis_state_check check (state in ('egg')) not valid",
      [refused],
    ],
    ['alter table kiwis add constraint nested foreign key (nest) references kiwis', [slow, refused]],
    ['alter table kiwis add unique (name)', ['writers wait for its index: build that concurrently', refused]],
    ['alter table kiwis validate constraint named', ['it looks through the table: in a file with `-- no transaction`']],
    ['alter table kiwis enable row level security', ['it is not known to be safe']],
    [
      'create index kiwis_by_name on kiwis (name)',
      ['writers wait while it is built: concurrently, in a file with `-- no transaction`'],
    ],
    [
      'create index concurrently kiwis_by_name on kiwis (name)',
      ['it runs in no transaction: the file must say `-- no transaction`'],
    ],
    [
      '-- no transaction\ncreate index concurrently by_name on kiwis (name)',
      ['it runs again after a kill: concurrently if not exists'],
    ],
    ['-- no transaction\ncreate unique index concurrently if not exists by_name on kiwis (name)', [refused]],
    ['-- no transaction\nalter table kiwis add column x text', ['it belongs in a transaction']],
    ["update kiwis set name = ''", ['its locks last: so many at a time, in a file with `-- no transaction`']],
    ["-- no transaction\nupdate kiwis set name = ''", ['it locks all rows at once: so many at a time, by a limit']],
    ["-- no transaction\ninsert into countries values ('NZ')", ['it would be done again after a kill']],
    [
      'alter table kiwis add column x text;\ninsert into countries select name from kiwis',
      ['the file’s locks last as long: a file of its own'],
    ],
    ['truncate kiwis', ['it is not known to be safe']],
    ['do $$ begin end $$', ['it is not known to be safe']],
    ['-- needs: 0007\ndrop table nests', ['there is no migration 0007 before it']],
    ['-- needs: 0003\ndrop table nests', ['there is no migration 0003 before it']],
  ])('reports the unsafe migration: %s', (text, expected) =>
    expect(
      faults(text).map((fault) =>
        fault.replace(/^(?:alter|create|drop|update|insert|do|truncate)[^`]*?: (?=it |older |writers |its |the )/, ''),
      ),
    ).toEqual(expected),
  )

  test('a migration that replaces a list of allowed values must keep all the old values', () => {
    const states = (list: string) =>
      faults(
        `alter table kiwis drop constraint kiwis_state_check;
alter table kiwis add constraint kiwis_state_check check (state in (${list})) not valid`,
      )
    expect(states("'egg', 'chick', 'fledged'")).toEqual([])
    expect(states("'egg', 'fledged'")).toHaveLength(1)
  })

  test('the migration check reports that two migrations have the same number', () =>
    expect(faultsOf({ '0003_a.sql': '', '0003_b.sql': '' })).toEqual(['another migration has the same number']))

  test('the migration check reports an exception that is no longer needed', () => {
    const texts = { '0003_next.sql': 'drop table nests;\n' }
    expect(faultsOf(texts, { '0003_next.sql': { 'drop table nests': 'why' } })).toEqual([])
    expect(faultsOf({ '0003_next.sql': '' }, { '0003_next.sql': { 'drop table': 'why' } })).toEqual([
      'nothing that begins with "drop table" has to be excepted',
    ])
  })
})
