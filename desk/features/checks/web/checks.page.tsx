import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { hasRole, useMe } from '#desk/features/staff/web/me.queries.ts'
import { minuteOf } from '#desk/features/staff/web/span-words.ts'
import type { CheckedLook, PastCheck } from '../checks.contract.ts'
import { drawnWords, pastWords, weekWords } from './check-words.ts'
import { checksQuery } from './checks.queries.ts'
import { SayOfLook } from './SayOfLook.tsx'
import * as s from './checks.module.css'

export default function ChecksPage() {
  const { data, error, refetch } = useQuery(checksQuery(useApi()))
  const isAdmin = hasRole(useMe(), ['admin'])
  return (
    <>
      <PageHead title="Random checks">
        {isAdmin && (
          <DenseButton href="/audit/" icon="shield">
            Audit
          </DenseButton>
        )}
      </PageHead>
      <Panel
        title="Customers viewed without any action afterwards"
        note={data ? drawnWords(data) : ''}
        inset={false}
        foot="Selected once a week, the same for every lead. Opening this page is logged."
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the list." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={8} />}
        {data && <Looks looks={data.looks} onSaid={() => void refetch()} />}
      </Panel>
      {data && <Past past={data.past} />}
    </>
  )
}

const columns = [
  { title: 'When', isShort: true },
  { title: 'Who' },
  { title: 'Customer', isName: true },
  { title: 'Reason given' },
  { title: 'Check' },
]

function Looks({ looks, onSaid }: { looks: CheckedLook[]; onSaid: () => void }) {
  const { zone } = useBootstrap().market
  return (
    <DataTable
      caption="Views to check"
      columns={columns}
      empty="Last week, every view of a customer was followed by an action."
      rows={looks.map((look) => ({
        key: look.id,
        href: look.customer.path,
        cells: [
          minuteOf(look.at, zone),
          look.who,
          look.customer.text,
          look.why,
          <SayOfLook key="say" look={look} onSaid={onSaid} />,
        ],
      }))}
    />
  )
}

function Past({ past }: { past: PastCheck[] }) {
  return (
    <Panel title="Previous weeks">
      {past.length === 0 && <p className="muted">This is the first check.</p>}
      <ul className={s.past}>
        {past.map((check) => (
          <li key={check.week}>
            <b>{weekWords(check.week)}</b> {pastWords(check)}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
