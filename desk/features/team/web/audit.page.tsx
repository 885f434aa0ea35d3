import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { ChipRow } from '#kit/web/desk/ChipRow.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { useNavigate, useRawLocation } from '#kit/web/router/location.ts'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { canReviewAccess, hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { formatDateAndTime } from '#desk/features/staff/web/date-time.labels.ts'
import type { AuditTrail, AuditTrailRow } from '../audit.contract.ts'
import { auditPath, auditQuery, type AuditUrlFilter, auditFilterFromUrl } from './audit.queries.ts'
import { FilterForm } from './FilterForm.tsx'
import { AuditExport } from './AuditExport.tsx'
import * as s from './team.module.css'

export default function AuditPage() {
  const filter = auditFilterFromUrl(useRawLocation().search)
  const { data, error, refetch } = useQuery(auditQuery(useApi(), filter))
  const me = useMe()
  const isAdmin = hasRole(me, ['admin'])
  return (
    <>
      <PageHead title="Audit">
        <AuditLinks />
      </PageHead>
      {data && <FilterForm wish={filter} acts={data.acts} canSearch={hasRole(me, ['support', 'finance'])} />}
      {data && <CustomerMatches trail={data} wish={filter} />}
      <Panel
        title="Staff actions and data access"
        note="newest first"
        inset={false}
        action={<AuditFilterBar wish={filter} people={data?.people ?? []} />}
        foot="Opening this page is logged too."
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the audit log." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={8} />}
        {data && (
          <AuditTrailTable
            rows={data.rows}
            more={(filter.before ?? data.next) && <Pagination wish={filter} next={data.next} />}
          />
        )}
      </Panel>
      {data && isAdmin && <AuditExport wish={filter} />}
      {data && !isAdmin && <p className="muted">Only admins can download the audit log.</p>}
    </>
  )
}

function AuditLinks() {
  return (
    <span className={s.wishes}>
      {canReviewAccess(useMe()) && (
        <DenseButton href="/audit/checks/" icon="shield">
          Random checks
        </DenseButton>
      )}
      <DenseButton href="/team/" icon="user">
        Team
      </DenseButton>
    </span>
  )
}

const chips = [
  { value: 'all', text: 'All' },
  { value: 'acts', text: 'Actions' },
  { value: 'looks', text: 'Access' },
] as const

function AuditFilterBar({ wish, people }: { wish: AuditUrlFilter; people: AuditTrail['people'] }) {
  const navigate = useNavigate()
  const applyFilter = (change: Partial<AuditUrlFilter>) => navigate(auditPath({ ...wish, ...change, before: null }))
  return (
    <div className={s.filter}>
      <label>
        <span className="visually-hidden">Person</span>
        <select
          value={wish.person ?? ''}
          onChange={(event) => applyFilter({ person: event.currentTarget.value || null })}
        >
          <option value="">Everybody</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ChipRow
        label="Actions or access"
        chips={chips}
        value={wish.of ?? 'all'}
        onChange={(of) => applyFilter({ of: of === 'all' ? null : of })}
      />
    </div>
  )
}

function Pagination({ wish, next }: { wish: AuditUrlFilter; next: string | null }) {
  return (
    <>
      {wish.before && (
        <DenseButton small href={auditPath({ ...wish, before: null })}>
          Newest
        </DenseButton>
      )}{' '}
      {next && (
        <DenseButton small href={auditPath({ ...wish, before: next })}>
          Older
        </DenseButton>
      )}
    </>
  )
}

const columns = [
  { title: 'When', isShort: true },
  { title: 'Who' },
  { title: 'What', isName: true },
  { title: 'Customer' },
  { title: 'About' },
  { title: 'Why' },
]

function AuditTrailTable({ rows, more }: { rows: AuditTrailRow[]; more: React.ReactNode }) {
  const { zone } = useBootstrap().market
  return (
    <DataTable
      caption="Audit log"
      columns={columns}
      empty="No matching activity."
      rows={rows.map(({ key, at, who, what, why, customer, subject }) => ({
        key,
        cells: [
          formatDateAndTime(at, zone),
          who,
          what,
          customer && <AuditTrailLink key="customer" to={customer} />,
          subject && <AuditTrailLink key="subject" to={subject} />,
          why,
        ],
      }))}
      more={more}
    />
  )
}

const AuditTrailLink = ({ to: { text, path } }: { to: NonNullable<AuditTrailRow['subject']> }) =>
  path ? (
    <Link href={path} className={s.subject}>
      {text}
    </Link>
  ) : (
    <span>{text}</span>
  )

function CustomerMatches({ trail, wish }: { trail: AuditTrail; wish: AuditUrlFilter }) {
  const { customers, more_customers: hasMore } = trail
  const [first, ...others] = customers
  if (!first && hasMore) return <p key="unfinished">This search took too long and was stopped. Be more specific.</p>
  if (!first) return wish.q && <p key="none">No customer matches “{wish.q}”.</p>
  if (others.length === 0 && !hasMore)
    return (
      <p key="one">
        Entries about <Link href={`/customers/${first.id}/`}>{first.name}</Link>
      </p>
    )
  return (
    <p key="several" className={s.matches}>
      <span>Matching customers:</span>
      {customers.map(({ id, name }) => (
        <Link key={id} href={auditPath({ ...wish, q: null, customer: id, before: null })}>
          {name}
        </Link>
      ))}
      {hasMore && <span>More customers match. Enter more of the name.</span>}
    </p>
  )
}
