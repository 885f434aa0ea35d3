import { failedStates } from '#features/orders/orders.states.ts'

/** How far a visitor came, by the state of an activation without an order. */
export const activationStepLabels: Readonly<Record<string, string>> = {
  PORTING_ENTERED: 'stopped at the number transfer',
  CREATED: 'stopped at the sign-up',
  DETAILS_ENTERED: 'stopped at the payment method',
  METHOD_ENTERED: 'stopped at the choice of plan',
  PAYMENT: 'stopped at the checkout',
}

export const isFailedActivation = (orderState: string | undefined): boolean =>
  failedStates.some((state) => state === orderState)
