import { addDays } from '#kit/contract/days.ts'
import { formatPrice, gstOf } from '#kit/contract/money.ts'
import { getPlanDataOrTitle } from '#kit/contract/plans.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Banner } from '#kit/web/widgets/Banner.tsx'
import { SummaryList } from '#kit/web/widgets/SummaryList.tsx'
import { useToday } from '#kit/web/use-today.ts'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import type { Product } from '#features/plans/plans.contract.ts'
import { monthlyAverageRows, shortDataLabel } from '#features/plans/web/summary.labels.ts'
import { renewalMessages, type StartOption } from '../renewal.contract.ts'
import type { RunningPlan } from './running-plan.ts'
import { formatFullDay, formatLastDay } from './start.labels.ts'
import * as s from './start-choice.module.css'

type Props = {
  phoneNumber: string
  product: Product | undefined
  cents: number | null
  running: RunningPlan | null
  starts: StartOption
  /**
   * `false` keeps the total below the form on a small screen, because the customer has another choice to make first.
   */
  isDocked: boolean
  children: TextFreeNode
}

export function RenewalTotal({ product, running, starts, isDocked, children, ...totals }: Props) {
  const startsNow = starts === 'now' || !running
  return (
    <aside aria-label="Summary" className={`${s.total} ${isDocked ? '' : s.below}`}>
      <h2 className={s.heading}>Summary</h2>
      {running && startsNow && (
        <div className={s.notice}>
          <Banner kind="warn">{renewalMessages.notice}</Banner>
        </div>
      )}
      {product && <TotalLines product={product} begins={startsNow ? null : running.endsOn} {...totals} />}
      {children}
    </aside>
  )
}

type TotalLinesProps = Pick<Props, 'phoneNumber' | 'cents'> & {
  product: Product
  /** The day on which the new plan starts; `null` means today. */
  begins: string | null
}

function TotalLines({ phoneNumber, product, cents, begins }: TotalLinesProps) {
  const { market } = useBootstrap()
  const today = useToday()
  const { title, length, data_gb } = product
  const planDescription = `${title}, ${length} days`
  const gstText = cents === null ? null : formatPrice(gstOf(cents, market.taxPart))
  return (
    <SummaryList
      rows={[
        ['Phone number', phoneNumber],
        [
          'Prepay Plan',
          data_gb > 0 ? (
            <TextWithNote key="plan" text={planDescription} note={shortDataLabel(product)} />
          ) : (
            planDescription
          ),
        ],
        ...(cents === null ? [] : monthlyAverageRows(market, product)),
        [
          'Starts',
          begins ? <TextWithNote key="starts" text={formatFullDay(begins)} note="when this plan ends" /> : 'Today',
        ],
        ['Last day', formatLastDay(addDays(begins ?? today, length))],
      ]}
      total={['Total due today', formatPrice(cents ?? 0)]}
      note={
        <>
          <span className={s.short}>
            {getPlanDataOrTitle(product)}, {length} days from {begins ? formatFullDay(begins) : 'today'}.{' '}
          </span>
          <span>{gstText === null ? 'Paid with your voucher.' : `${market.currency}, including ${gstText} GST`}</span>
        </>
      }
    />
  )
}

const TextWithNote = ({ text, note }: { text: string; note: string }) => (
  <>
    <span>{text}</span>
    <small>{note}</small>
  </>
)
