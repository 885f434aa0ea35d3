import { type QueryCreator, type SelectQueryBuilder, sql } from 'kysely'
import { preparedQuery } from '#kit/server/prepared-query.ts'
import type { CustomerDataReader } from '#kit/server/customer-data-reader.ts'
import type { Db, Tables } from '#kit/server/db.ts'
import {
  type QueryPartRows,
  buildJsonColumns,
  type QueryParts,
  reviveRows,
  type Value,
} from '#kit/server/combined-query.ts'
import type { FindSession, FoundSession } from '#kit/server/session.ts'

const visitorColumns = [
  'id',
  'user_id',
  'expires_at',
  'last_seen_at',
  'customer_id',
  'email_verified_at',
  'password_epoch',
] as const

/**
 * Selects the session with this token hash, along with its customer. The customer's columns are null if nobody is
 * signed in or the customer is blocked.
 */
const visitorQuery = (db: QueryCreator<Tables>, tokenHash: string) =>
  db
    .selectFrom('sessions')
    .leftJoin('users', (join) => join.onRef('users.id', '=', 'sessions.user_id').on('users.blocked_at', 'is', null))
    .select(['sessions.id', 'sessions.user_id', 'sessions.expires_at', 'sessions.last_seen_at'])
    .select(['users.id as customer_id', 'users.email_verified_at', 'users.password_epoch'])
    .where('sessions.token_hash', '=', tokenHash)

type VisitorRow = Awaited<ReturnType<ReturnType<typeof visitorQuery>['execute']>>[number]

const sessionFromRow = ({
  customer_id: id,
  email_verified_at: verifiedAt,
  password_epoch: epoch,
  ...row
}: VisitorRow) =>
  ({
    id: row.id,
    user_id: row.user_id,
    expires_at: row.expires_at,
    last_seen_at: row.last_seen_at,
    user: id ? { id, emailVerified: verifiedAt !== null, passwordEpoch: epoch ?? 0 } : null,
  }) satisfies FoundSession

const readVisitor = preparedQuery((db, { tokenHash }: { tokenHash: string }) => visitorQuery(db, tokenHash))

export const findVisitor: FindSession = async (db, tokenHash) => {
  const [visitor] = await readVisitor(db, { tokenHash })
  return visitor && sessionFromRow(visitor)
}

/** Selects the ids of the services whose data is read. The selection must be restricted to the customer `userId`. */
type ServiceSelection<Values> = (
  db: Db,
  userId: Value,
  values: Values,
) => SelectQueryBuilder<Tables, 'services', { id: string }>

/** The ids of the selected services. PostgreSQL runs the selection once, although several queries use it. */
const selectRequestedServices = (db: Db) =>
  db.selectFrom(sql<{ id: string }>`selected_services`.as('selected_services')).select('id')

/**
 * Creates a query for customer data that can share a statement with the session lookup. Every query returned by `build` must be restricted
 * to the customer `userId`, or to the services that `selectServices` selects. In `withVisitor` that is the session's customer, so the
 * queries return no rows if nobody is signed in.
 */
export function createCustomerRead<Values extends Record<string, string>, VisitorQueryParts extends QueryParts, Data>(
  build: (
    db: Db,
    userId: Value,
    values: Values,
    services: ReturnType<typeof selectRequestedServices>,
  ) => VisitorQueryParts,
  present: (answers: QueryPartRows<VisitorQueryParts>) => Data | Promise<Data>,
  selectServices?: ServiceSelection<Values>,
): CustomerDataReader<Values, Data> {
  let queryParts: VisitorQueryParts
  const buildColumns = (db: Db, userId: Value, values: Values) => {
    queryParts = build(db, userId, values, selectRequestedServices(db))
    return buildJsonColumns(queryParts)
  }
  const readForUser = preparedQuery((db, values: Values & { userId: string }) =>
    (selectServices ? db.with('selected_services', () => selectServices(db, values.userId, values)) : db).selectNoFrom(
      buildColumns(db, values.userId, values),
    ),
  )
  const readWithVisitor = preparedQuery((db, values: Values & { tokenHash: string }) => {
    const dbWithVisitor = db.with('visitor', (cte) => visitorQuery(cte, values.tokenHash))
    const visitorId = sql<string>`(select customer_id from visitor)`
    return (
      selectServices
        ? dbWithVisitor.with('selected_services', () => selectServices(db, visitorId, values))
        : dbWithVisitor
    )
      .selectFrom('visitor')
      .select(visitorColumns)
      .select(buildColumns(db, sql.ref<string>('visitor.customer_id'), values))
  })
  return {
    async of(db, userId, values) {
      const [row = {}] = await readForUser(db, { ...values, userId })
      return present(reviveRows(queryParts, row))
    },
    async withVisitor(db, tokenHash, values) {
      const [visitor] = await readWithVisitor(db, { ...values, tokenHash })
      if (!visitor) return undefined
      const session = sessionFromRow(visitor)
      return { session, data: session.user ? await present(reviveRows(queryParts, visitor)) : null }
    },
  }
}
