import { useId } from 'react'
import { ApiError } from '#kit/contract/errors.ts'
import { LongWait } from '#kit/web/widgets/LongWait.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import { Unavailable } from '#kit/web/widgets/Unavailable.tsx'
import { UnavailableLine } from '#kit/web/widgets/UnavailableLine.tsx'
import { Section, State, States } from './Section.tsx'

const noResponseError = new ApiError(0, undefined)
const doNothing = () => {}

export function WaitingSection() {
  const id = useId()
  return (
    <Section
      title="Waiting, and in vain"
      note="A skeleton keeps the room of what comes. After 10 seconds it says that it takes long."
    >
      <States wide>
        <State name="One line">
          <Skeleton lines={1} />
        </State>
        <State name="Six lines">
          <Skeleton lines={6} />
        </State>
        <State name="The word on a long wait, after 10 seconds">
          <div role="status">
            <LongWait />
          </div>
        </State>
        <State name="Could not be had, quietly">
          <Unavailable what="Your data usage is not available at the moment" onRetry={doNothing} />
        </State>
        <State name="Could not be had, and why">
          <Unavailable what="Your purchases didn’t load." error={noResponseError} onRetry={doNothing} />
        </State>
        <State name="Below a field">
          <p id={id} tabIndex={-1}>
            <UnavailableLine what="The list of providers didn’t load." control={id} onRetry={doNothing} />
          </p>
        </State>
      </States>
    </Section>
  )
}
