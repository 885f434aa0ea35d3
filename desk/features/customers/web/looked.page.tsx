import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { Failure } from '#kit/web/desk/Failure.tsx'
import { NothingHere } from '#kit/web/desk/NothingHere.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type LookRow, whoLooked } from '../customers.contract.ts'
import { useMoment } from './Beside.tsx'
import { customerQuery, looksQuery } from './customers.queries.ts'
import { useCustomer } from './use-customer.ts'
import { WhyForm } from './WhyForm.tsx'

export default function LookedPage({ params: { id = '' } }: PageProps) {
  const api = useApi()
  const { data: customer } = useQuery(customerQuery(api, id))
  const { data, error, refetch } = useQuery(looksQuery(api, id))
  const { refresh } = useCustomer(id)
  if (customer === null) return <NothingHere>This customer doesn’t exist.</NothingHere>
  if (customer && !customer.opened)
    return (
      <WhyForm
        id={id}
        name={customer.name}
        onOpened={async () => {
          await refresh()
          await refetch()
        }}
      />
    )
  return (
    <>
      <h1>Who looked</h1>
      {data && (
        <nav aria-label="Breadcrumb">
          <Link href={`/customers/${id}/`}>{data.name}</Link>
        </nav>
      )}
      {error && !data && (
        <Unavailable what="We couldn’t load the access log." error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={6} />}
      {data && <Looks id={id} first={data} />}
    </>
  )
}

const columns = [{ title: 'Who', isName: true }, { title: 'What' }, { title: 'Why' }, { title: 'When', isShort: true }]

function Looks({ id, first }: { id: string; first: { rows: LookRow[]; next: string | null } }) {
  const [{ rows, next }, setPages] = useState(first)
  const moment = useMoment()
  const { call } = useCustomer(id)
  const loading = useMutation({
    mutationFn: () => call((api) => api.call(whoLooked, { params: { id }, query: { before: next ?? '' } })),
    onSuccess: (page) => setPages({ rows: [...rows, ...page.rows], next: page.next }),
  })
  const more = next !== null && (
    <>
      <DenseButton
        aria-busy={loading.isPending || undefined}
        onClick={() => void (loading.isPending || loading.mutate())}
      >
        Show older
      </DenseButton>
      <Failure error={loading.error} />
    </>
  )
  return (
    <Panel title="Customer opened, or details uncovered" inset={false}>
      <DataTable
        caption="Who looked, newest first"
        columns={columns}
        rows={rows.map(({ name, what, why, at }, index) => ({
          key: `${at} ${index}`,
          cells: [name, what, why, moment(at)],
        }))}
        {...(more && { more })}
      />
    </Panel>
  )
}
