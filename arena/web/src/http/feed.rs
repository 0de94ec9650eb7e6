//! Pictures that are pushed to pages: made twice a second while a page is open, sent when they have changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};

use super::answer::{Body, HttpAnswer, answer};
use crate::runs::PictureText;

/// How often a picture is looked for.
const EVERY: Duration = Duration::from_millis(500);

/// How often a stream says that it lives: a page that hears nothing for longer takes the server for dead.
const PULSE: Duration = Duration::from_secs(4);

/// The most pages that receive pictures. The other connections are for pages that are only read.
pub(crate) const MOST_WATCHERS: usize = 96;

/// Makes a new picture. It is given the mark of the picture before, and returns `None` where nothing has changed.
pub(crate) type MakePicture = Arc<dyn Fn(Option<&str>) -> Option<PictureText> + Send + Sync>;

type Sender = watch::Sender<Option<Arc<PictureText>>>;

/// The latest picture, and those to come.
pub(crate) type Pictures = watch::Receiver<Option<Arc<PictureText>>>;

/// The feeds that pages follow, by name.
#[derive(Clone, Debug)]
pub(crate) struct Feeds {
    open: Arc<Mutex<BTreeMap<String, Arc<Sender>>>>,
    /// Places for those who watch.
    places: Arc<Semaphore>,
}

impl Feeds {
    /// Returns the feeds of a server, which no page follows yet.
    pub(crate) fn new() -> Self {
        Self { open: Arc::default(), places: Arc::new(Semaphore::new(MOST_WATCHERS)) }
    }

    /// Returns one stream of the pictures of several pages as an answer, so that a browser needs one connection for all
    /// its tabs; `None` where too many watch already. Each event begins with a line that names the page's feed. A feed
    /// that is not there, or ends, is `gone`.
    pub(crate) fn stream_all(&self, feeds: Vec<(String, Option<Pictures>)>) -> Option<HttpAnswer> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let (sender, parts) = mpsc::channel(1);
        for (path, pictures) in feeds {
            let sender = sender.clone();
            tokio::spawn(async move {
                if let Some(mut pictures) = pictures {
                    loop {
                        let seen = pictures.borrow_and_update().clone();
                        if let Some(seen) = seen {
                            let now = now();
                            let text =
                                format!("event: picture\ndata: {path}\ndata: {now}\ndata: {}\n\n", seen.text);
                            if sender.send(Ok(Bytes::from(text))).await.is_err() {
                                return;
                            }
                        }
                        tokio::select! {
                            changed = pictures.changed() => if changed.is_err() { break },
                            () = sender.closed() => return,
                        }
                    }
                }
                // A client that has left needs no word.
                let _ = sender.send(Ok(Bytes::from(format!("event: gone\ndata: {path}\n\n")))).await;
            });
        }
        tokio::spawn(async move {
            let _place = place;
            while sender.send(Ok(Bytes::from(pulse()))).await.is_ok() {
                if timeout(PULSE, sender.closed()).await.is_ok() {
                    return;
                }
            }
        });
        Some(answer(hyper::StatusCode::OK, "text/event-stream", Body::Parts(parts)))
    }

    /// Returns a stream of pictures as an answer; `None` where too many watch already.
    pub(crate) fn stream(&self, mut pictures: Pictures) -> Option<HttpAnswer> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let (sender, parts) = mpsc::channel(1);
        tokio::spawn(async move {
            let _place = place;
            // A page that is slow misses pictures and then gets the latest.
            loop {
                let seen = pictures.borrow_and_update().clone();
                let text = match seen {
                    Some(seen) => event(&seen.text),
                    None => ": nothing yet\n\n".to_owned(),
                };
                if sender.send(Ok(Bytes::from(text))).await.is_err() {
                    return;
                }
                loop {
                    match timeout(PULSE, pictures.changed()).await {
                        Ok(Ok(())) => break,
                        Ok(Err(_)) => return,
                        Err(_) if sender.send(Ok(Bytes::from(pulse()))).await.is_err() => return,
                        Err(_) => {}
                    }
                }
            }
        });
        Some(answer(hyper::StatusCode::OK, "text/event-stream", Body::Parts(parts)))
    }

    /// Returns the pictures of a feed. They are made as long as a receiver of them lives.
    pub(crate) fn subscribe(&self, name: &str, look: MakePicture) -> Pictures {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = open.get(name) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        let sender = Arc::new(sender);
        open.insert(name.to_owned(), Arc::clone(&sender));
        let (feeds, name) = (self.clone(), name.to_owned());
        tokio::spawn(async move {
            while !feeds.is_left(&name, &sender) {
                let (look, before) = (Arc::clone(&look), sender.borrow().clone());
                let seen = tokio::task::spawn_blocking(move || {
                    look(before.as_deref().map(|seen| seen.mark.as_str()))
                });
                if let Ok(Some(seen)) = seen.await {
                    sender.send_replace(Some(Arc::new(seen)));
                }
                sleep(EVERY).await;
            }
        });
        receiver
    }

    /// Closes a feed that no page follows any more.
    fn is_left(&self, name: &str, sender: &Sender) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_left = sender.receiver_count() == 0;
        if is_left {
            open.remove(name);
        }
        is_left
    }
}

/// Returns the events that tell a picture: our clock, then what is seen.
fn event(text: &str) -> String {
    format!("event: clock\ndata: {}\n\nevent: picture\ndata: {text}\n\n", now())
}

/// Returns the event that says that the server lives.
fn pulse() -> String {
    format!("event: pulse\ndata: {}\n\n", now())
}

/// Returns our clock, in milliseconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
