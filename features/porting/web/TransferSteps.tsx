import type { ReactNode } from 'react'
import { formatMoment } from '#kit/contract/moments.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { momentAfter, startOf } from './transfer-times.ts'
import * as s from './transfer.module.css'

type Props = { port: PortingRequestView; progress: PortingProgress; own: string }

export function TransferSteps(props: Props) {
  const at = places[props.progress.step]
  return (
    <ol className={s.steps}>
      {useSteps(props).map(({ title, text }, index) => {
        const isDone = index < at
        const isNow = index === at
        return (
          <li key={index} className={isNow ? s.now : isDone ? s.done : ''} aria-current={isNow ? 'step' : undefined}>
            <span className={s.mark} aria-hidden="true">
              {isDone ? <Icon name="check" /> : index + 1}
            </span>
            <h2>
              {title}
              {isDone && <span className="visually-hidden"> (done)</span>}
            </h2>
            <p>{text}</p>
          </li>
        )
      })}
    </ol>
  )
}

const places = { sent: 1, information: 1, reply: 2, moving: 3, moved: 4 } as const satisfies Record<
  PortingProgress['step'],
  number
>

function useSteps({ port, progress, own }: Props): { title: ReactNode; text: ReactNode }[] {
  const { market, serverTime } = useBootstrap()
  const reader = { zone: market.zone, now: serverTime }
  const { donor, requested_at: sent } = port
  const { found_at: found, confirmed_at: confirmed, since, looked_at_from: looked } = progress
  const when = (at: string | null): string => (at ? momentAfter(at, sent, reader) : '')
  const asks = progress.step === 'information'
  const works = (
    <span>
      <span className={s.whole}>{own}</span> works on this SIM until then.
    </span>
  )
  return [
    { title: 'Request sent', text: formatMoment(sent, reader) },
    {
      title: found
        ? `${donor} found your number`
        : `${donor} ${asks ? 'needs more details' : 'is checking your number'}`,
      text: found
        ? when(found)
        : looked
          ? `${donor} will look at it from ${startOf(looked, reader)}.`
          : asks
            ? 'Correct your details and send them again.'
            : 'Keep your old SIM in.',
    },
    {
      title: { NZ: 'Your YES', AU: 'Your code' }[market.code],
      text:
        progress.step === 'reply'
          ? `${since ? `Waiting since ${when(since)}. ` : ''}Keep your old SIM in.`
          : confirmed
            ? when(confirmed)
            : {
                NZ: 'You’ll get a text on your old SIM, and have 2 hours to reply.',
                AU: 'You’ll get it by text on your old SIM, and have 2 hours to enter it here.',
              }[market.code],
    },
    {
      title: 'Your number moves',
      text: progress.step === 'moved' ? when(since) : <span>Normally about 4 hours in business hours. {works}</span>,
    },
    {
      title: 'Put in your new SIM',
      text: progress.step === 'moved' ? 'Turn your phone off and on again.' : 'We’ll email you when it’s time.',
    },
  ]
}
