import { expect, test } from 'vitest'
import { parseHosts } from './database-hosts.ts'

test.each([
  ['postgres://ana:x@db.example/fantail', ['postgres://ana:x@db.example/fantail']],
  [
    'postgresql://db.example:5433/fantail?sslmode=verify-full',
    ['postgresql://db.example:5433/fantail?sslmode=verify-full'],
  ],
  ['postgres:///fantail?host=/run/postgresql', ['postgres:///fantail?host=/run/postgresql']],
  ['postgres://ana:x@one/fantail?target_session_attrs=read-write', ['postgres://ana:x@one/fantail']],
  [
    'postgres://ana:p%40%2C@one,two:5433,[::1]:5434/fantail?target_session_attrs=primary&sslmode=disable',
    [
      'postgres://ana:p%40%2C@one/fantail?sslmode=disable',
      'postgres://ana:p%40%2C@two:5433/fantail?sslmode=disable',
      'postgres://ana:p%40%2C@[::1]:5434/fantail?sslmode=disable',
    ],
  ],
])('parses the hosts in the database address %s', (url, urls) => expect(parseHosts(url)).toEqual({ urls }))

test.each([
  [
    'postgres://ana:x@one,two/fantail?target_session_attrs=standby',
    'asks for target_session_attrs=standby; it must be read-write, or left out.',
  ],
  ['postgres://ana:x@one,/fantail', 'has the host ""; each must be a name or an address, and may have a port.'],
  [
    'postgres://ana:x@one:54x2,two/fantail',
    'has the host "one:54x2"; each must be a name or an address, and may have a port.',
  ],
  [
    'postgres://ana:x@one:70000/fantail',
    'has the host "one:70000"; each must be a name or an address, and may have a port.',
  ],
  [
    'postgres://ana:x@/fantail?host=one,two',
    'has its hosts after the question mark; put them before the database name: host1:5432,host2:5432.',
  ],
  ['postgres://ana:a/b@one/fantail', 'must be an address such as postgres://user:password@host:5432/name.'],
])('rejects the database address %s', (url, fault) => expect(parseHosts(url)).toEqual({ fault }))
