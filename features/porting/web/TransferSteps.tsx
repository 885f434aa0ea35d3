import type { ReactNode } from 'react'
import { formatMoment } from '#kit/contract/format-moment.ts'
import { useBootstrap } from '#kit/web/bootstrap.tsx'
import { Icon } from '#kit/web/widgets/Icon.tsx'
import type { PortingProgress, PortingRequestView } from '#features/services/services.contract.ts'
import { formatWithoutRepeatedDay, formatStartTime } from './transfer-times.ts'
import * as s from './transfer.module.css'

type Props = { port: PortingRequestView; progress: PortingProgress; own: string }

export function TransferSteps(props: Props) {
  const currentIndex = stepIndexes[props.progress.step]
  return (
    <ol className={s.steps}>
      {useTransferSteps(props).map(({ title, text }, index) => {
        const isStepDone = index < currentIndex
        const isCurrentStep = index === currentIndex
        return (
          <li
            key={index}
            className={isCurrentStep ? s.now : isStepDone ? s.done : ''}
            aria-current={isCurrentStep ? 'step' : undefined}
          >
            <span className={s.mark} aria-hidden="true">
              {isStepDone ? <Icon name="check" /> : index + 1}
            </span>
            <h2>
              {title}
              {isStepDone && <span className="visually-hidden"> (done)</span>}
            </h2>
            <p>{text}</p>
          </li>
        )
      })}
    </ol>
  )
}

const stepIndexes = { sent: 1, information: 1, reply: 2, moving: 3, moved: 4 } as const satisfies Record<
  PortingProgress['step'],
  number
>

function useTransferSteps({ port, progress, own }: Props): { title: ReactNode; text: ReactNode }[] {
  const { market, serverTime } = useBootstrap()
  const displayContext = { zone: market.zone, now: serverTime }
  const { donor, requested_at: requestedAt } = port
  const { found_at: foundAt, confirmed_at: confirmedAt, since, looked_at_from: processingStartsAt } = progress
  const formatMomentIfKnown = (at: string | null): string =>
    at ? formatWithoutRepeatedDay(at, requestedAt, displayContext) : ''
  const isAwaitingInformation = progress.step === 'information'
  const workingNumberText = (
    <span>
      <span className={s.whole}>{own}</span> works on this SIM until then.
    </span>
  )
  return [
    { title: 'Request sent', text: formatMoment(requestedAt, displayContext) },
    {
      title: foundAt
        ? `${donor} found your number`
        : `${donor} ${isAwaitingInformation ? 'needs more details' : 'is checking your number'}`,
      text: foundAt
        ? formatMomentIfKnown(foundAt)
        : processingStartsAt
          ? `${donor} will look at it from ${formatStartTime(processingStartsAt, displayContext)}.`
          : isAwaitingInformation
            ? 'Correct your details and send them again.'
            : 'Keep your old SIM in your phone.',
    },
    {
      title: { NZ: 'You reply YES', AU: 'You enter the code' }[market.code],
      text:
        progress.step === 'reply'
          ? `${since ? `Waiting since ${formatMomentIfKnown(since)}. ` : ''}Keep your old SIM in your phone.`
          : confirmedAt
            ? formatMomentIfKnown(confirmedAt)
            : {
                NZ: 'You’ll get a text on your old SIM, and have 2 hours to reply.',
                AU: 'You’ll get a code by text on your old SIM, and have 2 hours to enter it here.',
              }[market.code],
    },
    {
      title: 'Your number moves',
      text:
        progress.step === 'moved' ? (
          formatMomentIfKnown(since)
        ) : (
          <span>Normally about 4 hours in business hours. {workingNumberText}</span>
        ),
    },
    {
      title: 'Put in your new SIM',
      text: progress.step === 'moved' ? 'Turn your phone off and on again.' : 'We’ll email you when it’s time.',
    },
  ]
}
