import { useState } from 'react'
import { decimalToCents } from '#kit/contract/money.ts'
import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { useApi } from '#kit/web/api.tsx'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { DataTable } from '#kit/web/desk/DataTable.tsx'
import { DenseButton } from '#kit/web/desk/DenseButton.tsx'
import { PageHead } from '#kit/web/desk/PageHead.tsx'
import { Panel } from '#kit/web/desk/Panel.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { roleNames } from '#desk/features/staff/staff.contract.ts'
import { formatDayAndTime, durationLabel } from '#desk/features/staff/web/time.labels.ts'
import type { PersonLimits, RoleLimits } from '../limits.contract.ts'
import { LimitsDrawer } from './LimitsDrawer.tsx'
import { limitsQuery } from './limits.queries.ts'
import * as s from './limits.module.css'

const price = (amount: string): string => formatPriceWithCommas(decimalToCents(amount))

export default function LimitsPage() {
  const { data, error, refetch } = useQuery(limitsQuery(useApi()))
  const [editedLimits, setEditedLimits] = useState<RoleLimits | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  return (
    <>
      <PageHead title="Limits">
        <DenseButton href="/team/" icon="user">
          Team
        </DenseButton>
      </PageHead>
      <div role="status">{message && <Banner kind="good">{message}</Banner>}</div>
      {error && !data && (
        <Unavailable what="We couldn’t load the limits." error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <div className={s.roles}>
            {data.roles.map((limits) => (
              <RolePanel
                key={limits.role}
                limits={limits}
                onChange={() => {
                  setMessage(null)
                  setEditedLimits(limits)
                }}
              />
            ))}
          </div>
          <People people={data.people} />
          <LimitsDrawer
            limits={editedLimits}
            onClose={() => setEditedLimits(null)}
            onStale={() => void refetch()}
            onDone={(text) => {
              setEditedLimits(null)
              setMessage(text)
              void refetch()
            }}
          />
        </>
      )}
    </>
  )
}

type PendingRequest = NonNullable<RoleLimits['asked']>

function RolePanel({ limits, onChange }: { limits: RoleLimits; onChange: () => void }) {
  const { role, order, day, asked, why_not: whyNot } = limits
  const name = roleNames[role]
  const canChange = !whyNot && (!asked || asked.is_stale)
  return (
    <Panel
      title={name}
      action={
        canChange && (
          <DenseButton label={`Change limits for ${name}`} onClick={onChange}>
            Change
          </DenseButton>
        )
      }
      foot={<LastChange limits={limits} />}
    >
      <dl className={s.facts}>
        <div>
          <dt>Refund limit per order</dt>
          <dd>{price(order)}</dd>
        </div>
        <div>
          <dt>Refund limit per 24 hours</dt>
          <dd>{price(day)}</dd>
        </div>
      </dl>
      {whyNot && <p className="muted">{whyNot}</p>}
      {asked && (
        <div className={s.asked}>
          <Banner kind="warn" icon="user">
            {describeRequest(asked)}
          </Banner>
        </div>
      )}
    </Panel>
  )
}

function describeRequest({
  by,
  order,
  day,
  left_seconds: left,
  is_own: isOwn,
  is_stale: isStale,
}: PendingRequest): string {
  const requestSummary = `${isOwn ? 'You' : by} requested ${price(order)} per order and ${price(day)} in 24 hours.`
  return isStale
    ? `${requestSummary} The limits have changed since, so this request can’t be approved. To raise them, make a new request.`
    : `${requestSummary} A team lead or another admin can approve or decline it on Today. ` +
        `Otherwise it takes effect in ${durationLabel(left)}.`
}

function LastChange({ limits: { changed } }: { limits: RoleLimits }) {
  const { zone } = useBootstrap().market
  if (!changed) return <span>These are the default limits. They have not been changed.</span>
  const { at, by, approved_by: approver } = changed
  return (
    <span>{`Last changed on ${formatDayAndTime(at, zone)} by ${by}${approver ? `, approved by ${approver}` : ''}.`}</span>
  )
}

const columns = [
  { title: 'Name', isName: true },
  { title: 'Roles' },
  { title: 'Refunded', isFigure: true },
  { title: 'Limit', isFigure: true },
  { title: 'Left', isFigure: true },
]

function People({ people }: { people: PersonLimits[] }) {
  return (
    <Panel title="Refunds without approval" note="in the last 24 hours" inset={false}>
      <DataTable
        caption="Refunds without approval"
        columns={columns}
        empty="Nobody has the support or finance role yet."
        rows={people.map(({ id, name, roles, given, day }) => ({
          key: id,
          cells: [
            name,
            roles.map((role) => roleNames[role]).join(', '),
            price(given),
            price(day),
            formatPriceWithCommas(Math.max(0, decimalToCents(day) - decimalToCents(given))),
          ],
        }))}
      />
    </Panel>
  )
}
