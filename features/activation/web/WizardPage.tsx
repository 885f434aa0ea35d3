import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { Activation } from '../activation.contract.ts'
import { activationQuery } from './activation.queries.ts'
import { WizardFrame, type FrameProps } from './WizardFrame.tsx'

/** What a page shows: as it is, or made of the activation, which is then always there. */
type Content = ReactNode | ((activation: Activation) => ReactNode)

type Props = Omit<FrameProps, 'porting' | 'aside' | 'children'> & { aside?: Content; children: Content }

/** A step of the wizard. It waits for the activation, and says so when that cannot be had. */
export function WizardPage({ step, aside, children, ...frame }: Props) {
  const { data, isError } = useQuery({ ...activationQuery(useApi()), retryOnMount: false })
  const activation = useLastKnown(data)

  if (isError) return <ErrorScreen onRetry={() => location.reload()} />

  function shown(content: Content): ReactNode {
    if (typeof content !== 'function') return activation === undefined ? null : content
    return activation ? content(activation) : null
  }

  const waiting = <Card><Skeleton lines={6} /></Card>
  return (
    <WizardFrame {...frame} step={step} porting={step === 'porting' || (step !== 'sim' && activation?.setup_porting === true)} aside={shown(aside)}>
      {shown(children) ?? waiting}
    </WizardFrame>
  )
}

/** The newest activation there was: a page whose state is gone stays as it is until the redirect has led away from it. */
function useLastKnown(data: Activation | null | undefined): Activation | null | undefined {
  const [known, setKnown] = useState(data)
  if (data === undefined || data === known || (data === null && known)) return known
  setKnown(data)
  return data
}
