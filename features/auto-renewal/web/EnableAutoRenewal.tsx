import { Link } from '#kit/web/Link.tsx'
import { useApi } from '#kit/web/api.tsx'
import { queryOptions } from '#kit/web/query/query-client.ts'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { BusyButton } from '#kit/web/widgets/BusyButton.tsx'
import { Button } from '#kit/web/widgets/Button.tsx'
import { Dialog } from '#kit/web/widgets/Dialog.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { FailureBanner } from '#features/auth/web/FailureBanner.tsx'
import type { Schedule } from '#features/services/services.contract.ts'
import { type AutoRenewalOffer, readAutoRenewalOffer } from '../auto-renewal.contract.ts'
import { useAutoRenewal } from './use-auto-renewal.ts'
import * as s from './auto-renewal.module.css'

type Props = { schedule: Schedule; onEnabled: () => void; onClose: () => void }

export default function EnableAutoRenewal({ open, ...props }: Props & { open: boolean }) {
  return (
    <Dialog title="Turn on auto-renewal?" open={open} onClose={props.onClose}>
      <RenewalTerms {...props} />
    </Dialog>
  )
}

function RenewalTerms({ schedule, onEnabled, onClose }: Props) {
  const api = useApi()
  const params = { uuid: schedule.service, scheduleId: schedule.short_id }
  const { data, error, refetch } = useQuery(
    queryOptions({
      queryKey: ['auto-renewal', params.scheduleId],
      queryFn: async () => (await api.call(readAutoRenewalOffer, { params })).data,
      staleTime: 0,
    }),
  )
  if (!data)
    return error ? (
      <Unavailable what="The price can’t be loaded right now." error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={8} />
    )
  return (
    <>
      <p className={s.lead}>{data.lead}</p>
      <TermRows rows={data.rows} />
      <ul className={s.promises}>
        {data.promises.map((text, rowIndex) => (
          <li key={text}>
            <Icon name={(['mail', 'close', 'card'] as const)[rowIndex] ?? 'info'} />
            {text}
          </li>
        ))}
      </ul>
      <EnableAutoRenewalButtons offer={data} schedule={schedule} onEnabled={onEnabled} onClose={onClose} />
    </>
  )
}

const TermRows = ({ rows }: Pick<AutoRenewalOffer, 'rows'>) => (
  <dl className={s.rows}>
    {rows.map(({ label, value, note, link }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>
          <b>{value}</b>
          {note && <span>{note}</span>}
          {link && <Link href={link.url}>{link.text}</Link>}
        </dd>
      </div>
    ))}
  </dl>
)

function EnableAutoRenewalButtons({ offer, schedule, onEnabled, onClose }: Props & { offer: AutoRenewalOffer }) {
  const { mutate, isPending, isError, error } = useAutoRenewal('enable', schedule, onEnabled)
  return (
    <>
      {offer.trouble && (
        <p className={s.trouble}>
          <Icon name="warn" />
          {offer.trouble}
        </p>
      )}
      <div role="alert" className={s.failure}>
        {isError && <FailureBanner error={error} />}
      </div>
      <div className={s.acts}>
        {offer.can_enable ? (
          <BusyButton wide busy={isPending} busyText="ENABLING AUTO-RENEWAL" onClick={() => void mutate()}>
            ENABLE AUTO-RENEWAL
          </BusyButton>
        ) : (
          offer.button && (
            <Button wide href={offer.button.url}>
              {offer.button.text}
            </Button>
          )
        )}
        <Button kind="plain" wide onClick={onClose}>
          Not now
        </Button>
      </div>
    </>
  )
}
