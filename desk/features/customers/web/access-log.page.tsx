import { useState } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { ErrorBanner } from '#kit/web/desk/ErrorBanner.tsx'
import { DeskNotFound } from '#kit/web/desk/DeskNotFound.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { Link } from '#kit/web/Link.tsx'
import type { PageProps } from '#kit/web/page.ts'
import { useMutation } from '#kit/web/query/use-mutation.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { type AccessLogEntry, listAccessLog } from '../customers.contract.ts'
import { useMomentFormatter } from './SidePanels.tsx'
import { customerQuery, accessLogQuery } from './customers.queries.ts'
import { useCustomer } from './use-customer.ts'
import { AccessReasonForm } from './AccessReasonForm.tsx'

export default function AccessLogPage({ params: { id = '' } }: PageProps) {
  const api = useApi()
  const { data: customer } = useQuery(customerQuery(api, id))
  const { data, error, refetch } = useQuery(accessLogQuery(api, id))
  const { refresh } = useCustomer(id)
  if (customer === null) return <DeskNotFound>This customer doesn’t exist.</DeskNotFound>
  if (customer && !customer.opened)
    return (
      <AccessReasonForm
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
      <h1>Access log</h1>
      {data && (
        <nav aria-label="Breadcrumb">
          <Link href={`/customers/${id}/`}>{data.name}</Link>
        </nav>
      )}
      {error && !data && (
        <Unavailable what="We couldn’t load the access log." error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={6} />}
      {data && <AccessLog id={id} first={data} />}
    </>
  )
}

const columns = [{ title: 'Who', isName: true }, { title: 'What' }, { title: 'Why' }, { title: 'When', isShort: true }]

function AccessLog({ id, first }: { id: string; first: { rows: AccessLogEntry[]; next: string | null } }) {
  const [{ rows, next }, setPages] = useState(first)
  const formatMoment = useMomentFormatter()
  const { call } = useCustomer(id)
  const loadMoreMutation = useMutation({
    mutationFn: () => call((api) => api.call(listAccessLog, { params: { id }, query: { before: next ?? '' } })),
    onSuccess: (page) => setPages({ rows: [...rows, ...page.rows], next: page.next }),
  })
  const more = next !== null && (
    <>
      <DenseButton
        aria-busy={loadMoreMutation.isPending || undefined}
        onClick={() => void (loadMoreMutation.isPending || loadMoreMutation.mutate())}
      >
        Show older
      </DenseButton>
      <ErrorBanner error={loadMoreMutation.error} />
    </>
  )
  return (
    <Panel title="Who opened the record or revealed details" inset={false}>
      <DataTable
        caption="Who viewed this customer, newest first"
        columns={columns}
        rows={rows.map(({ name, what, why, at }, index) => ({
          key: `${at} ${index}`,
          cells: [name, what, why, formatMoment(at)],
        }))}
        {...(more && { more })}
      />
    </Panel>
  )
}
