import { useState, type ComponentType, type ReactNode } from 'react'
import { useApi } from '#kit/web/api.tsx'
import { useQuery } from '#kit/web/query/use-query.tsx'
import { ErrorScreen } from '#kit/web/screens/ErrorScreen.tsx'
import type { TextFreeNode } from '#kit/web/text-elements.tsx'
import { Card } from '#kit/web/widgets/Card.tsx'
import { Skeleton } from '#kit/web/widgets/Skeleton.tsx'
import type { Activation } from '../activation.contract.ts'
import { activationQuery } from './activation.queries.ts'
import { WizardFrame, type FrameProps } from './WizardFrame.tsx'

type Props = Omit<FrameProps, 'porting' | 'aside' | 'children'> & {
  aside?: ReactNode | ComponentType<{ activation: Activation }>
  children: TextFreeNode | ((activation: Activation) => TextFreeNode)
}

export function WizardPage({ step, aside: Aside, children, ...frame }: Props) {
  const { data, isError } = useQuery({ ...activationQuery(useApi()), retryOnMount: false })
  const activation = useLastKnownActivation(data)
  if (isError) return <ErrorScreen onRetry={() => location.reload()} />

  const porting = step === 'porting' || (step !== 'sim' && activation?.setup_porting === true)
  const aside = typeof Aside === 'function' ? activation && <Aside activation={activation} /> : Aside
  const content =
    typeof children === 'function' ? activation && children(activation) : activation !== undefined && children
  return (
    <WizardFrame {...frame} step={step} porting={porting} aside={aside}>
      {content || (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
    </WizardFrame>
  )
}

/**
 * Returns the last known activation. Once the activation no longer exists, this keeps the page unchanged until the
 * redirect.
 */
function useLastKnownActivation(data: Activation | null | undefined): Activation | null | undefined {
  const [lastKnown, setLastKnown] = useState(data)
  if (data === undefined || data === lastKnown || (data === null && lastKnown)) return lastKnown
  setLastKnown(data)
  return data
}
