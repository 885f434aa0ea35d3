import { Component, type ReactNode } from 'react'
import { reportFault } from '../fault.ts'
import { ErrorScreen } from './ErrorScreen.tsx'

type Props = {
  children: ReactNode
  silent?: boolean
}

/** Shows the error page if its content fails to render. Change the boundary's `key` to try again. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state: { failed: boolean } = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    reportFault('render', error)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return this.props.silent ? null : <ErrorScreen onRetry={() => location.reload()} />
  }
}
