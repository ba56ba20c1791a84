package io.rotamq.server.net;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * The way to the operating system's sockets: epoll where the native library loads, which saves
 * about a third of the system calls' overhead, else the Java platform's own.
 */
record Transport(
        String name, IoHandlerFactory handlers, Class<? extends ServerChannel> serverChannel) {
    static Transport best() {
        return Epoll.isAvailable() ? epoll() : nio();
    }

    static Transport epoll() {
        return new Transport("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class);
    }

    static Transport nio() {
        return new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }
}
