import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'
import type { ReviewedAccess, PastReview } from '../access-reviews.contract.ts'
import { sampleLabel, pastReviewLabel, weekLabel } from './access-review.labels.ts'
import { accessReviewQuery } from './access-reviews.queries.ts'
import { ReviewDecision } from './ReviewDecision.tsx'
import * as s from './access-reviews.module.css'

export default function AccessReviewsPage() {
  const { data, error, refetch } = useQuery(accessReviewQuery(useApi()))
  return (
    <>
      <PageHead title="Random checks">
        <DenseButton href="/audit/" icon="shield">
          Audit
        </DenseButton>
      </PageHead>
      <Panel
        title="Customers viewed without any action afterwards"
        note={data ? sampleLabel(data) : ''}
        inset={false}
        foot="Selected once a week. All team leads see the same list. Opening this page is logged."
      >
        {error && !data && (
          <Unavailable what="We couldn’t load the list." error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton lines={8} />}
        {data && <ReviewedAccessList looks={data.looks} onDecided={() => void refetch()} />}
      </Panel>
      {data && <PastReviews past={data.past} />}
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

function ReviewedAccessList({ looks, onDecided }: { looks: ReviewedAccess[]; onDecided: () => void }) {
  const { zone } = useBootstrap().market
  return (
    <DataTable
      caption="Viewed customers to check"
      columns={columns}
      empty="Last week, nobody viewed a customer without taking action afterwards."
      rows={looks.map((access) => ({
        key: access.id,
        href: access.customer.path,
        cells: [
          formatDayAndTime(access.at, zone),
          access.who,
          access.customer.text,
          access.why,
          <ReviewDecision key="say" look={access} onDecided={onDecided} />,
        ],
      }))}
    />
  )
}

function PastReviews({ past }: { past: PastReview[] }) {
  return (
    <Panel title="Previous weeks">
      {past.length === 0 && <p className="muted">There are no earlier checks.</p>}
      <ul className={s.past}>
        {past.map((check) => (
          <li key={check.week}>
            <b>{weekLabel(check.week)}</b> {pastReviewLabel(check)}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
