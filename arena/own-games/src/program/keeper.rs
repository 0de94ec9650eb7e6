//! The thread that starts the processes of rules, drains their standard error, and ends them.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::task::Poll;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use processes::{ExceededLimit, Launcher, Process, ProcessEnd, ProcessSpec, reap_dropped};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::timeout;

use super::exchange::Exchange;
use crate::{CarrierFault, CarrierFaultKind};

/// How long a process that has closed a pipe may take to end by itself: how it does explains more.
const GRACE: Duration = Duration::from_millis(250);

/// Hands orders to the thread. Dropped, it waits until no process is left.
#[derive(Debug)]
pub(super) struct Keeper {
    orders: UnboundedSender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// What is left to know of a process that was ended.
#[derive(Debug)]
pub(super) struct Obituary {
    /// How it ended, if it did so by itself: `exit 1`.
    pub(super) status: Option<String>,
    /// The limit for which its guard has ended it.
    pub(super) excess: Option<ExceededLimit>,
    /// Whether somebody has killed its guard.
    pub(super) has_lost_guard: bool,
    /// The end of its standard error.
    pub(super) stderr: Vec<u8>,
}

#[derive(Debug)]
enum Order {
    Start(SyncSender<Result<Exchange, CarrierFault>>),
    End(Exchange, SyncSender<Obituary>),
    EndAll(SyncSender<()>),
    Leave,
}

/// A process that runs as far as anybody knows.
struct Running {
    process: Process,
    /// Completes when it has ended, no matter who still holds its pipes.
    ended: Pin<Box<dyn Future<Output = ()>>>,
}

/// What the thread waits for.
enum News {
    /// An order; `None` when there will be none.
    Order(Option<Order>),
    /// The process of this number has ended by itself.
    Ended(u64),
}

impl Keeper {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread, or no descriptors for it.
    pub(super) fn new(spec: ProcessSpec, launcher: &'static dyn Launcher) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (orders, inbox) = unbounded_channel();
        let work = move || serve(&runtime, inbox, &spec, launcher);
        let thread = Builder::new().name("rules".to_owned()).spawn(work)?;
        Ok(Self { orders, thread: Some(thread) })
    }

    /// Starts a process.
    pub(super) fn start(&self) -> Result<Exchange, CarrierFault> {
        self.order(Order::Start).unwrap_or_else(|| {
            let words = "cannot be asked: the thread that starts them is gone";
            Err(CarrierFault::new(CarrierFaultKind::Arena, words))
        })
    }

    /// Ends a process, and returns what there is to know of it; `None` where nobody knows it any more.
    pub(super) fn end(&self, exchange: Exchange) -> Option<Obituary> {
        self.order(|reply| Order::End(exchange, reply))
    }

    /// Ends every process.
    pub(super) fn end_all(&self) {
        // Where the thread is gone, so are they.
        let _ = self.order(Order::EndAll);
    }

    fn order<T>(&self, order: impl FnOnce(SyncSender<T>) -> Order) -> Option<T> {
        let (reply, answer) = sync_channel(1);
        self.orders.send(order(reply)).ok()?;
        answer.recv().ok()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.orders.send(Order::Leave);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    runtime: &Runtime,
    mut inbox: UnboundedReceiver<Order>,
    spec: &ProcessSpec,
    launcher: &dyn Launcher,
) {
    runtime.block_on(async {
        let (mut running, mut obituaries) = (BTreeMap::<u64, Running>::new(), BTreeMap::new());
        let mut count = 0;
        // Nobody waits for an answer that cannot be sent.
        loop {
            match news(&mut inbox, &mut running).await {
                // A process that it left behind may hold its pipes open: this alone tells the thread that waits for an answer that none
                // comes.
                News::Ended(number) => {
                    if let Some(Running { process, .. }) = running.remove(&number) {
                        obituaries.insert(number, end(process).await);
                    }
                }
                News::Order(Some(Order::Start(reply))) => {
                    count += 1;
                    let _ = reply.send(start(count, spec, launcher).map(|(exchange, process)| {
                        running.insert(count, Running { ended: process.ended(), process });
                        exchange
                    }));
                }
                News::Order(Some(Order::End(exchange, reply))) => {
                    let obituary = match running.remove(&exchange.number) {
                        Some(Running { process, .. }) => Some(end(process).await),
                        None => obituaries.remove(&exchange.number),
                    };
                    if let Some(obituary) = obituary {
                        let _ = reply.send(obituary);
                    }
                }
                News::Order(Some(Order::EndAll(reply))) => {
                    // All at once; then each is waited for.
                    running.clear();
                    reap_dropped().await;
                    let _ = reply.send(());
                }
                News::Order(Some(Order::Leave) | None) => break,
            }
        }
        drop(running);
        reap_dropped().await;
    });
}

/// Waits for an order or the end of a process.
async fn news(inbox: &mut UnboundedReceiver<Order>, running: &mut BTreeMap<u64, Running>) -> News {
    poll_fn(|cx| {
        for (number, process) in &mut *running {
            if process.ended.as_mut().poll(cx).is_ready() {
                return Poll::Ready(News::Ended(*number));
            }
        }
        inbox.poll_recv(cx).map(News::Order)
    })
    .await
}

fn start(
    number: u64,
    spec: &ProcessSpec,
    launcher: &dyn Launcher,
) -> Result<(Exchange, Process), CarrierFault> {
    let fault =
        |error: io::Error| CarrierFault::new(CarrierFaultKind::Start, format!("cannot be started: {error}"));
    let mut process = launcher.launch(spec).map_err(fault)?;
    Ok((Exchange::new(number, &mut process).map_err(fault)?, process))
}

async fn end(process: Process) -> Obituary {
    let _ = timeout(GRACE, process.ended()).await;
    let (excess, has_lost_guard) = (process.excess(), process.has_lost_guard());
    let ProcessEnd { status, stderr } = process.kill().await;
    Obituary { status, excess, has_lost_guard, stderr }
}
