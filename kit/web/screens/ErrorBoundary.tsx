import { Component, type ReactNode } from 'react'
import { reportFault } from '../fault.ts'
import { ErrorScreen } from './ErrorScreen.tsx'

type Props = {
  children: ReactNode
  silent?: boolean
}

/** Shows the error page, or nothing if `silent`, when its content fails to render. A different `key` renders the content again. */
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
