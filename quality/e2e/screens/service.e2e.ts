import { serviceScreens } from './service.screens.ts'
import { showAll } from './show.ts'

showAll('service', serviceScreens)
